"""Sentences of rulebooks, read aloud by somebody who knows the games: right numbers, plurals, articles and brackets."""

from __future__ import annotations

from functools import cache

import pytest

from referee.rulebook.markdown import write_markdown
from rulespec.files.sources import shipped_games
from tests.books import book_of
from tests.small import FOLDER

SENTENCES = {
    "base": [
        "- **token**: 1, in the tray.",
        "- 5 (7 with 3 players, 9 with 4) displays: display 1 to 5 (7 with 3 players, 9 with 4).",
        "- 5 lines: line 1 to 5.",
        "- **jokers**: 5 (10 with 3 or 4 players), in the bag. **[adds]**",
        "- **swapped**: 1 (2 with 3 or 4 players). **[adds]**",
        "19 (18 with 3 or 4 players) of each kind: blue, yellow, red, black and white",
        "- You score *placed* for the line and the column.",
        "- **the points of the player’s run the way through the line and the column**: *n* if *n* is more than 1, otherwise 0,",
        "3. *Idle* becomes 0 if there are more than *laid* tiles on all players’ walls, otherwise the number of idle rounds + 1.",
        "you lose the sum of as many of the first entries of *cost* as there are tiles and tokens in your floor line.",
        "- The game ends after the last step of the course of play. The first of these lines decides who wins; where players are equal in it, the next one does.",
        "1. If the source is the centre, and there is a token in the offer at the centre:",
        "if the number of idle rounds is 5, or (for at least one player the number of the player’s complete rows is more than 0).",
    ],
    "duel": [
        "- **tokens**: 4, 2 in each player’s stock of tokens.",
        "- **turned (of each player, plate row and plate column)**: Turns; at first 0.",
        "1. *Digging* becomes yes.",
        "- If there is no other colour in the bag:",
        "4. Move the top plates from the bottom of the stack to the display of plates, at most the number of free spaces in the display of plates.",
        "- **holds the first-player tile**: The player who is the holder of the first-player tile.",
        "2. As long as *digging* is yes, repeat:",
        "- **a token left**: Your stock of tokens is not empty. Otherwise: “you have used your 2 tokens”",
        "the number of tiles in all suns + the number of tiles on all moons + the number of tiles in the moon of the large factory.",
    ],
    "sintra": [
        "- **token**: 1, in the offer at the centre.",
        "they start with 1 of each kind in each player’s stock of strips.",
        "- Draw at random one pane of any of the colours for which there are no panes of the colour on the track from the bag to the track at *r*.",
        "1. The player scores *colour bonus* for the strip.",
        "- **strips left**: Your leftmost strip exists. Otherwise: “you have no strip left”",
        "you score (the largest of the number of panes of the colour on your window for each colour) × your *complete windows*.",
        "There is a strip, or (for every strip *x*, of those for which strip *x* is at least your *glazier*, your strip *x* is not fit for the colour).",
    ],
    "pavilion": [
        "- **passed (of each player)**: Yes or no; at first no.",
        "the number of spaces connected with the player’s board at the space for which the space is not empty.",
        "3. As long as for at least one player the player’s *passed* is no, repeat:",
        "if there is no colour of the player’s star, and there are at least 2 tiles on the player’s board at the star.",
    ],
    "classics/nim": [
        "- **sticks**: 12, in the heaps: 3 in heap 1, 4 in heap 2, 5 in heap 3.",
        "1. As long as not all heaps are empty, repeat:",
        "- **took the last stick**: The player who is not the player whose turn it is.",
    ],
    "classics/kalah": [
        "- **stones**: 48, in the bowls: 4 in each of south and north, spot 1 to 6.",
        "1. As long as for every side the pits of the side are not empty, repeat:",
        "there is exactly one of the stones in the bowl at the last bowl.",
        "- **the owner of what is left on the side**: the next side. **[instead of]** ~~the side.~~",
    ],
    "classics/kuhn": [
        "- **nobody has bet**: You do not have fewer chips in the pot. Otherwise: “the other has bet; call or fold”",
        "   - From now on, you have folded.",
        "- **the strength of the player’s card**: *strength* of the card in the player’s hand (0 if there is none).",
        "- **chips lost**: Chips left in the pot: you lose your stake.",
        "3. If the first player has fewer chips in the pot, and the first player has not folded:",
    ],
    "classics/briscola": [
        "- 4 suits: coins, cups, swords and batons.",
        "- Move one card (two batons) from the deck to the pile of cards not used.",
        "- Move the card from your hand to your place in the trick.",
        "2. Let *best* be the first player for whom the player has the strongest card (the player who leads if there is none).",
        "the player after the next player if the number of players is 4, otherwise the player.",
        "0 if there is no *c*; *strength* of the rank of *c* + 10 if the suit of *c* is the trump suit; *strength* of the rank of *c* if the suit of *c* is the suit led; otherwise 0, where *c* is the card on the player’s place in the trick.",
    ],
    "classics/pig": [
        "- 6 faces: 1 to 6.",
        "25 if face *a* is 1 and face *b* is 1; 4 × face *a* if face *a* is face *b*; otherwise face *a* + face *b*.",
    ],
    "classics/tictactoe": ["- 4 ways: across, upright, falling and rising.", "players 1 and 2 tie; nothing is left to decide."],
    "classics/go": [
        "- **second**: Coming second: you score 7 if you are player 2, otherwise 0.",
        "- **came second**: The player who is player 2.",
        "2. If *taken* is 1, and the number of spaces of the chain of *x* is 1, and the number of ways for which there is room on the neighbour of *x* along the way is 1:",
        "- **no suicide**: After the move, the chain of the space has a free point.",
        "- *Passes* go up by 1.",
        "the spaces connected with *x*, going any way, for which the stone on the space is the stone on *x*.",
        "After the move, the number of times that the board was remembered just like that is 0.",
        "- **Afterwards**: *Ko* is 2.2.",
    ],
    "classics/hex": [
        "- ***x* lies on the player’s first edge**: if (the row of *x* if the player is player 1, otherwise the column of *x*) is 1.",
        "- From now on, you have joined two edges.",
        "- **the player’s chain through *x***: the spaces connected with *x* for which the stone on the space is the player’s *colour*.",
        "- Move one stone (your *colour*) from the box to the board at the column of *x* and the row of *x*.",
    ],
    "classics/draughts": [
        "- Let *goal* be the 2nd space from the space going the way.",
        "- The move ends here, and you choose again.",
        "ways to neighbours: north-west, north-east, south-west and south-east.",
        "- **jumper**: The space of the piece that must go on: a space of the board, or none; at first none.",
    ],
    "classics/reversi": [
        "1. Move one black from the box to the board at row 4 and column 5.",
        "if the number of spaces of the line of discs of the player’s opponent, going the way from the row and the column is more than 0,",
    ],
    "classics/dominoes": [
        "- **passes**: The number of passes one after the other: a number from 0 to the number of players; at first 0.",
        "- Draw at random 7 (5 with 3 or 4 players) dominoes from the boneyard to the player’s hand.",
        "- **no dominoes left**: The player for whom the player’s hand is empty.",
        "- 7 lower halves: 0 to 6.",
    ],
    "classics/pledges": [
        "2. All players choose secretly at the same time: each makes the move *pledge*. When all have chosen, their moves are done one after the other.",
        "4. If *p* is not none:",
        "1. Draw at random one gift from the chest to the offer.",
        "- **in the purse**: *N* is at most your coins. Otherwise: “you have only *your coins*”",
        "the number of players for whom the coins that the player pledged are the highest pledge is 1",
    ],
    "classics/beacons": [
        "- **keeper**: A bidder; at first bidder 1.",
        "- **bid (of each bidder)**: A number from 0 to 12; at first 0; only its owner sees it.",
        "2. For each bidder, clockwise from the keeper:",
        "3. Everybody looks at every bidder’s bid.",
        "5. The keeper’s *coins* go down by the keeper’s bid.",
        "- **Choose**: *n*: 0 to 12; the others do not see it.",
        "*coins* of player 1 are 12; *coins* of player 2 are 5.",
    ],
    "classics/masquerade": [
        "1. As long as the number of guests who are still there is more than 1, and the deck is not empty, repeat:",
        "- **Choose**: an aimed mask: valet, spy, fencer or envoy.",
        "- **still at the ball**: The guest who has not left the ball.",
        "the first guest *q* of the guests clockwise from the next guest for whom guest *q* has not left the ball",
        "- You look at the guest’s hand.",
    ],
    "classics/caravans": [
        "- The player scores *profit* for the ware and *length bonus* for the ware (as one sum).",
        "- **stake cards**: 15 in all, 3 of each kind: stake jade, stake silk, stake tea, stake spice and stake pearls; they start in the deck.",
    ],
    "classics/gullies": [
        "- 7 ledges: ledge 7 to 1.",
        "- 4 dice: die 1 to 4.",
        "- **climbers**: 3, in the valley.",
        "1. Move all climbers from all rock faces to the valley.",
    ],
    "house/trading": [
        "- Move one tile (colour *k*) from your floor line to the offer at the centre.",
        "- The move ends here, and you choose again.",
        "- The player whose turn it is makes one of the moves *take* or *trade*. **[changed]** ~~The player whose turn it is makes the move *take*.~~",
    ],
    "house/passing": ["- **passes left**: Your *passes* are more than 0. Otherwise: “you have passed twice”"],
    "house/duel_as_printed": ["- **Choose**: *n*: 0. **[changed]** ~~turns: 0 to 3.~~"],
    "plain_men": [
        "- **black men**: 4, on the board: row 1, column 1 to 4.",
        "- **board**: One for each row and column; a space for one of the men.",
        "- **idle**: A number from 0 to the number of players; at first 0.",
        "to *gone*.",
        "1. As long as *idle* is less than 2, and (for every player there is at least one of the pieces of the player’s *man of* on the board), repeat:",
        "- **the player’s *foe***: the next player’s *man of*.",
    ],
    "plain_dice": [
        "- **gold**: 20 (30 with 3 players, 40 with 4), in the mine.",
        "- **knives**: 2 (3 with 3 players, 4 with 4), 1 in each player’s chest.",
        "- 3 dice: 1 to 3.",
        "- **luck**: *Total* is more than 12 if your *traded* is yes, otherwise (*total* is more than 8 and *shown* of 1 is more than 1).",
        "- Move up to 2 gold from the mine to your purse.",
        "- *Holder* is now you.",
        "- **Choose**: a player.",
        "- **once**: Your *traded* is no. Otherwise: “once only”",
        "if there are more than 5 gold in the player’s purse, or (the player’s *traded* is yes, and there are more than 2 gold in the player’s purse).",
    ],
    "plain_auction": [
        "- **coppers**: 30 (40 with 4 players, 50 with 5), 10 in each player’s money.",
        "- For each player for whom *still in* holds for the player, clockwise from *begins*:",
        "1. If *bidder* is not none:",
        "1. Draw at random one lot from the stock to *for sale*.",
        "   - *Begins* becomes *bidder* (*begins* if there is none).",
        "- The player scores *goods worth* for the player.",
    ],
    "plain_leaves": [
        "- **leaves**: 12 in all, 4 of each kind: oak, elm and ash; they start in the heap.",
        "- **men**: 6 (9 with 3 players, 12 with 4), 3 in each player’s hut.",
        "- **knife**: 1, in the heap.",
        "- **oxen**: 1 (2 with 3 players, 3 with 4), in the heap.",
        "- **attic**: One for each player and die; a stack of leaves (last in, first out), at most 5.",
        "2. As long as (*hour* is less than 9, and there is at least one of the leaves in at least one player’s hut), or there is room in at least one player’s hut, repeat:",
        "- *Hour* goes up by 1.",
        "- **mine**: You are one of the players for whom the player’s *out* is no.",
        "- **one ox**: There is exactly one of the oxen in the heap, or there is at most one of the knives in the heap.",
        "- Move the leaf from the heap to your attic at die 1.",
        "- Move the top leaf from your attic at die 1 to your hut.",
        "- Chance picks *eyes* from the dice, each as likely as any other.",
        "- If there is no *best leaf* of the player after you:",
        "(for every player *q*, of those for whom player *q* is not the player, player *q*’s *out* is yes)",
        "the number of combinations of plate row *a* and plate row *b* for which the leaf on the shelf at plate row *a* is",
    ],
    "plain_quarry": [
        "- Draw at random stones from the quarry to *on sale*, at most the number of free spaces in *on sale*.",
        "- **taxes**: The number 1; at first 1.",
        "- *Turn*’s *news* becomes the smaller of *turn*’s *news* + 1 and 5.",
        "- **news**: Your *news* is at least 1, and the *news* of the player after you is less than 5. Otherwise: “no news”",
        "- Move the tool from the shed to your *in use*.",
        "- Move all stones from *on sale* to *out of play*.",
        "- **loft free**: Your loft is empty or the stone is not the stone in your loft. Otherwise: “it is in your loft”",
        "- **money**: The number of ounces in your purse is at least *fees* of the level, or there are no ounces in your purse.",
        "- ***has tools* holds for the player**: if the player’s *in use* is not empty.",
    ],
    "plain_foxes": [
        "- **fox**: 1, on the cell at rank 1, file 1.",
        "- **geese**: 4, on the cell: rank 4, file 1 to 4.",
        "1. As long as (for every player the player’s *loses* is no), and *tries* are less than 20, repeat:",
        "- *Tries* go up by 1.",
        "- *Turn*’s *loses* becomes yes.",
        "- **a fox**: The beast on the space is fox and you are player 1. Otherwise: “only a fox leaps”",
        "- Move all beasts from the space next to the space going the step way to *eaten*.",
        "- If there are at least 2 geese in *eaten*:",
        "- The *loses* of the player after you becomes yes.",
    ],
    "plain_stones": [
        "- **pebbles**: 2, in player 1’s pouch.",
        "- **next to**: A space of the board, or none; at first row 1, column 1.",
        "- If *touched* is not 60:",
        "- *Helper* becomes player 2 if *touched* is more than 3, otherwise player 1.",
        "for whom there are more than 3 pebbles in the player’s pouch (player 2 if there is none).",
        "- **Choose**: a space: a space or none.",
        "- **has**: There is no space or the space is empty. Otherwise: “taken”",
        "- **Choose**: a space: the space next to the board at row 2 and column 2 going down, one on the board at row 1 or *last*.",
        "- **Choose**: a space: one of the spaces beyond the board at row 1 and column 2 going down.",
    ],
    "plain_codes": [
        "- **sheep**: 8 (12 with 3 players), in the meadow.",
        "- **axe**: 1, in the hedge at ace 1.",
        "- **glasses**: 2 (3 with 3 players), in the hedge at ace 2.",
        "- 2 axes: north and south.",
        "- Everybody looks at every player’s code.",
        "- Move sheep from the meadow to the player’s pen, at most the player’s *code*.",
        "- If the player’s *guess* is not none and *odds* are more than 2:",
        "- *Series* goes up by 1.",
        "- *Odds* become the larger of 0 and *d* − 2.",
        "- The player looks at your pen.",
    ],
    "plain_hours": [
        "- **owls**: 1 (2 with 2 players, 3 with 3), in the nest.",
        "- **unicorns**: 4 in all, 2 of each kind: white and one horned; they start in the nest.",
        "- With 1 player: 2 hours: 1 and 2; with 2 players: 3 hours: 1 to 3; with 3 players: 4 hours: 1 to 4.",
        "- **inn**: One for each hour; for owls, at most 1 or 2, depending on the hour.",
        "- **now**: An hour; at first 1.",
        "- **Choose**: a unicorn: white or one horned.",
        "- **Choose**: an heir: elder or younger.",
        "- **an owl there**: There is an owl in the nest.",
        "- **the elder**: The heir is elder or there are no owls in the inn at the hour.",
        "- Your *euro* goes up by 1.",
    ],
}  # fmt: skip


@cache
def book_text(game: str) -> str:
    return write_markdown(book_of(FOLDER / f"{game}.yaml" if game.startswith("plain_") else game))


def test_sentences__every_shipped_game_is_read_and_some_that_nobody_gave_words() -> None:
    games = {name for name in shipped_games() if not name.startswith("house/")}
    assert games <= set(SENTENCES)
    assert sum(name.startswith("plain_") for name in SENTENCES) >= 3


LONG = ("duel", "sintra", "pavilion", "house/duel_as_printed", "house/passing")  # books that take seconds to write


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        pytest.param(game, sentence, marks=pytest.mark.soak if game in LONG else ())
        for game, said in SENTENCES.items()
        for sentence in said
    ],
)
def test_sentence__is_in_the_book(game: str, sentence: str) -> None:
    assert sentence in book_text(game)


def test_announcement__is_no_rule() -> None:
    """A condition under which something is told, and nothing else happens, is left out."""
    assert "is 50" not in book_text("plain_stones") and "half" not in book_text("plain_stones")
