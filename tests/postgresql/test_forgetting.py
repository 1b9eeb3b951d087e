"""Whoever wants it is told all that is stored, and forgotten: the tests of the mails about
it, on this database as on the other."""

from tests.intake import test_privacy_mails as mails

table = mails.table
test_the_data_come_as_text_and_file = mails.test_the_data_come_to_the_main_address_as_text_and_file
test_a_bot_plays_on_and_the_game_stays_whole = mails.test_a_bot_plays_on_and_the_game_stays_whole
test_his_reply_addresses_are_void = mails.test_his_reply_addresses_are_void
