// Preact, its hooks, and htm bound to it: what draws the pages.
import { h, render, Fragment, createContext } from "preact";
import { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import htm from "htm";

const html = htm.bind(h);
export {
  h, html, render, Fragment, createContext,
  useCallback, useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState,
};
