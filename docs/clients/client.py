"""Plays a game through `rulespec engine`: python3 client.py base. Player 1 takes hints, the others play at random."""

import json
import os
import random
import subprocess
import sys

command = os.environ.get("RULESPEC", "rulespec").split()
engine = subprocess.Popen([*command, "engine", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ask(do, **fields):
    engine.stdin.write(json.dumps({"id": do, "do": do, **fields}).encode() + b"\n")
    engine.stdin.flush()
    answer = json.loads(engine.stdout.readline())
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return answer["ok"]


state = ask("new")  # the engine chooses a seed, and chance plays itself
while state["to_move"] is not None:
    move = ask("hint", bot="greedy")["move"] if state["to_move"] == 1 else random.choice(ask("moves")["moves"])
    played = ask("play", move=move)
    print(*(f"{d['player']}: {d['text']}" for d in played["decided"]), sep="\n")
    state = played["state"]
print(state["outcome"]["winners"], state["outcome"]["reason"], state["scores"])
ask("quit")
