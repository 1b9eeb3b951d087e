"""`/moderator/numbers`: how the server has been going, a small chart a figure."""

from flask import render_template, request

from pbem.web import installation
from pbem.web.moderator.charts import HEIGHT, WIDTH, chart, figure
from pbem.web.moderator.daily_counts import SPANS, daily
from pbem.web.moderator.guard import blueprint, signed_in
from pbem.web.moderator.reach import everywhere


@blueprint.get("/numbers", endpoint="numbers")
def charts() -> str:
    """Charts of the last month, quarter or year, and the table behind them."""
    here = installation()
    everywhere(signed_in())
    wanted = request.args.get("days", "")
    span = int(wanted) if wanted in map(str, SPANS) else SPANS[0]
    with here.store.read() as session:
        series = daily(session, here.clock(), span)
    rows = zip(series[0].days, zip(*(one.values for one in series), strict=True), strict=True)
    return render_template(
        "moderator/numbers.html",
        charts=[chart(one) for one in series],
        rows=[(day, [figure(value) for value in values]) for day, values in rows][::-1],
        span=span,
        spans=SPANS,
        width=WIDTH,
        height=HEIGHT,
    )
