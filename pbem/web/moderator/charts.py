"""Small charts as inline SVG: bars a day, sized by attributes alone, so that a page needs
neither a script nor a style attribute for them."""

from dataclasses import dataclass

from pbem.web.moderator.daily_counts import Series

WIDTH, HEIGHT = 300, 64
GAP = 0.25  # of a bar


@dataclass(frozen=True)
class DayBar:
    """One day; the tooltip says its figure."""

    x: str
    y: str
    width: str
    height: str
    said: str


@dataclass(frozen=True)
class Chart:
    """A figure over the days, its greatest value reaching the top."""

    series: Series
    bars: tuple[DayBar, ...]
    top: str
    last: str

    @property
    def summary(self) -> str:
        """What the chart shows, in a sentence for whoever does not see it."""
        days = self.series.days
        return (
            f"{self.series.name}: {self.last} on {days[-1].isoformat()}, at most {self.top} "
            f"a day since {days[0].isoformat()}"
        )


def chart(series: Series) -> Chart:
    """The chart of a series."""
    top = max((value for value in series.values if value is not None), default=0) or 1
    step = WIDTH / len(series.days)
    bars = []
    for number, (day, value) in enumerate(zip(series.days, series.values, strict=True)):
        if not value:
            continue
        height = max(1.5, value / top * HEIGHT)
        bars.append(
            DayBar(
                f"{number * step:.2f}", f"{HEIGHT - height:.2f}", f"{step * (1 - GAP):.2f}",
                f"{height:.2f}", f"{day.isoformat()}: {figure(value)} {series.unit}",
            )
        )  # fmt: skip
    greatest = max((value for value in series.values if value is not None), default=0)
    return Chart(series, tuple(bars), figure(greatest), figure(series.last))


def figure(value: float | None) -> str:
    """A number as it is read: 1,234 or 3.5; – for none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
