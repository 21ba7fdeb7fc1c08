#!/usr/bin/env node
// Starts the command recollect: node recollect.cjs start. In words that every Node reads, so that an old one, or a folder without its
// packages, is told what is missing in one sentence.
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { wrongNode } = require('./server/needs-node.cjs');

/** Returns what is missing, in one sentence; null: nothing. */
function whatIsMissing(folder) {
  if (!existsSync(join(folder, 'node_modules', 'commander')))
    return `recollect: its packages are not installed: run npm ci in ${folder}`;
  return wrongNode(process.versions.node, `${process.platform}-${process.arch}`);
}

const MAIN = './server/src/main.ts';
const missing = whatIsMissing(__dirname);
if (missing === null) void import(MAIN);
else {
  console.error(missing);
  process.exitCode = 1;
}
