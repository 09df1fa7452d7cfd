// Writes the licences of all packages in the bundle to dist/LICENCES.txt.
"use strict";

const { readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const { packages } = JSON.parse(readFileSync(join(__dirname, "package-lock.json"), "utf8"));
const bundled = Object.keys(packages).filter((path) => path && !packages[path].dev).sort();
const texts = bundled.map((path) => {
  const folder = join(__dirname, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file)).sort();
  const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  return `${name} ${version}\n\n${text || `${license} licence`}\n`;
});
writeFileSync(join(__dirname, "dist", "LICENCES.txt"), texts.join("\n\n"));
