"""How much is done for whom, and how long what came is kept."""

from pydantic import Field

from pbem.settings.base import SettingsGroup


class Quotas(SettingsGroup):
    """Fuses against loops, floods and the abuse of somebody's name.  What is beyond one is
    refused once in words, then kept in silence; nothing is lost."""

    answers_an_hour: int = Field(600, ge=1, description="to one person")
    answers_by_name_an_hour: int = Field(
        30, ge=1, description="to one person, to mail without a reply address"
    )
    table_mails_an_hour: int = Field(1200, ge=1, description="of one table, from all its seats")
    strangers_an_hour: int = Field(60, ge=0, description="answered, all together")
    held_letters_an_hour: int = Field(3, ge=0, description="asking one person about held mail")
    messages_an_hour: int = Field(60, ge=1, description="from one seat")
    tables_a_day: int = Field(5, ge=0, description="opened by one person")
    invitations_a_day: int = Field(5, ge=1, description="to one address that never answered")
    address_letters_a_day: int = Field(5, ge=1, description="asked for by one person")
    data_letters_a_day: int = Field(3, ge=1, description="all that is stored, to one person")
