"""Strongly connected components of a graph, callees first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def components(graph: Mapping[T, Iterable[T]]) -> Iterator[list[T]]:
    """Yield the groups of nodes that reach one another; a group comes after those it leads to.

    >>> list(components({"a": ["b"], "b": ["c"], "c": ["b"], "d": []}))
    [['c', 'b'], ['a'], ['d']]
    """
    number: dict[T, int] = {}  # in the order of finding
    lowest: dict[T, int] = {}  # the first found node that is known to be in the same group
    waiting: list[T] = []
    closed: set[T] = set()
    for start in graph:
        # depth costs no Python frames: the way down is a list
        way = [] if start in number else [(start, iter(graph[start]))]
        while way:
            node, following = way[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                waiting.append(node)
            for other in following:
                if other in graph and other not in number:
                    way.append((other, iter(graph[other])))
                    break
                if other in graph and other not in closed:
                    lowest[node] = min(lowest[node], lowest[other])
            else:
                way.pop()
                if way:
                    lowest[way[-1][0]] = min(lowest[way[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    group = [waiting.pop()]
                    while group[-1] != node:
                        group.append(waiting.pop())
                    closed.update(group)
                    yield group
