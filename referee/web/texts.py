"""The texts of `rulespec serve`."""

from __future__ import annotations

from errno import EADDRINUSE

SERVE = """Serve tables and the workshop to browsers on this machine, or with --lan to all devices in the network.

Anyone with a seat's link can play that seat. All games are kept in one folder, --data: after a restart of any kind, the
server resumes every game.

\b
    rulespec serve
    rulespec serve --lan --port 8080
"""
OPTION_PORT = "The port to listen on; 0 takes any that is free."
OPTION_LAN = "Let other devices in the network play; without it, this machine alone."
OPTION_DATA = "The folder for all tables; by default in the user's state folder."
OPTION_HOST = "A name by which browsers may call this server, for one behind a proxy; may be given more than once."
OPTION_OPEN = "Open the first page in a browser."
OPTION_TABLES = "The most tables that may exist."
MISSING = "`rulespec serve` needs the Python package `{module}`, which is not installed: pip install 'rulespec[web]'"
PORT_TAKEN = "port {port} is taken by another program; choose another with `--port`, or `--port 0` for any that is free"
CANNOT_LISTEN = "cannot listen on port {port}: {reason}"
SERVING = "serving at {address}"
STOP = "stop with Ctrl-C; tables are kept in {folder}"

# Chance that is typed in
ASKS_ROLL = "roll {label}"

# The file of tables
CANNOT_OPEN = "the tables in `{folder}` cannot be opened: {reason}"
CANNOT_STORE = "the table cannot be stored: {reason}"
CANNOT_LOAD = "the table cannot be read: {reason}"
OTHER_STORE = "expected tables of format {expected}, found {found}"
FOLDER_IN_USE = "another server is using `{folder}`"

# At a table
WRONG_KEY = "this link leads to no seat of this table"
NO_TABLE = "there is no such table"
TABLE_CLOSED = "the table was closed by its host"
NOT_JOINED = "the first message on a socket is `join`"
JOINED = "this socket has joined a table already"
NOT_YOUR_SEAT = "you do not have the key of seat {seat}"
NOT_YOUR_TURN = "it is the turn of {who}"
NOT_HOST = "only the host of the table can do that"
NOT_ALL_SEATS = "that needs the keys of all seats that people have or had"
OUT_OF_STEP = "the table is at version {expected}, not {found}"
OVER = "the game is over"
NOT_TYPED = "what chance decides is not typed at this table"
NOT_TO_TYPE = "only those who sit at the table can type what chance decides"
NOTHING_TO_UNDO = "there is nothing to take back"
NO_REQUEST = "nobody asks you to agree to anything"
BAD_NAME = "expected a name of 1 to {most} printable characters, found {found}"
NAME_TAKEN = "`{name}` sits here already"
BAD_SEAT = "expected `human` or one of the bots {known}, found `{found}`"
BOT_SECONDS = "expected a bot with at most {most} seconds for a move, found `{found}`"
TABLE_FULL = "this table has {most} lines of record; start a new one"
NO_DECISION = "expected a number of decisions from 0 to {most}, found {found}"
ONE_QUESTION = "expected either `move` or `things`"
TO_RANGE = "expected `to` to be below {made}, the number of decisions, found {found}"
FAULT = "the rules cannot continue after this: {message}"
DIED = "the request needed too much time or memory"
TOO_SLOW = "that took more than {seconds:g} seconds and was stopped"
SUPERSEDED = "a newer request replaced this one"
BUSY = "the server is busy; try again in a moment"
INTERNAL = "internal error: {name}"

# Requests
TOO_FAST = "more than {most} messages a second"
TOO_LARGE = "expected at most {most} bytes, found more"
BAD_ID = "expected `id` to be a whole number from 1, found {found}"
NOT_TEXT = "expected a text message, found bytes"
AS_VERSION = "the number of the version that you have"
AS_SEAT = "a player's number"
AS_SEAT_OR_NONE = "a player's number or null"
AS_KEYS = "a list of 1 to {most} keys"
AS_THINGS = "a list of 1 to {most} texts"
AS_WHOLE = "a whole number from {least} to {most}"
AS_SHORT = "a text of at most {most} characters"
AS_FILES = "an object of file names and texts"
AS_SEATS = "a list of objects with `name`, `who` or nothing"
AS_RULES = "a text, or an object with `name` and `text`"
AS_HOUSE = "a list of names and texts"
ONE_SOURCE = "expected one of `game`, `rules` and `record`"
RECORD_ALONE = "with `record` there can be no `{field}`: the record says it"
TOO_MANY_TABLES = "this server already has {most} tables, the maximum"
TOO_MANY_CLIENTS = "this server already has {most} connections, the maximum"
TOO_MANY_HERE = "this table already has {most} connections, the maximum"
TOO_MANY_RECORDS = "the record of this table was asked for too often; try again in a few seconds"
TOO_MANY_NEW = "too many tables were created from your address; try again in a minute"
HANDS = "people hold what others do not see in this game (`{place}`): chance must be left to the server"
NO_PLAYER = "there is no player {found}: players are 1 to {players}"
REDACTED = "the record is redacted for one player: it cannot be resumed"
OTHER_TURN = "it is somebody else's turn here"
NOTHING_TO_COMPARE = "these rules extend nothing: say what to compare them with"
UNKNOWN_GAME = "no game called `{found}`"
NO_PAGE = "page not found"
NOT_JSON_TYPE = "expected the content type application/json"
OTHER_HOST = "this server is not called `{found}`; name it with `--host`"
OTHER_ORIGIN = "a page of another site may not do that"
NO_KEY = "expected `Authorization: Bearer KEY`"
NOT_OUR_LINK = "expected a link to a table of this server"
LATE = "no `join` came within {seconds:g} seconds"
SLOW = "this connection is too slow to follow the table"
RENEWED = "the key of this seat was renewed"
STOPPING = "the server is shutting down"


def not_listening(port: int, error: OSError) -> str:
    """Return why a port cannot be listened on."""
    if error.errno == EADDRINUSE:
        return PORT_TAKEN.format(port=port)
    return CANNOT_LISTEN.format(port=port, reason=(error.strerror or str(error)).lower())
