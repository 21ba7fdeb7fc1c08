// Says what is missing where a Node runs that does not know our syntax. In words that every Node reads: it comes before everything else.
'use strict';

const NEEDED = 26;

/** Returns what is wrong with a version of Node, in one sentence; null: nothing. */
function wrongNode(version, platform) {
  if (Number(version.split('.')[0]) >= NEEDED) return null;
  return (
    `recollect: this is Node ${version}, and Node ${NEEDED} is needed: run npm ci with optional dependencies, ` +
    `which bring it (node-bin-${platform}), and start with npm, or install Node ${NEEDED}`
  );
}

module.exports = { wrongNode };

if (require.main === module) {
  const wrong = wrongNode(process.versions.node, `${process.platform}-${process.arch}`);
  if (wrong !== null) {
    console.error(wrong);
    process.exitCode = 1;
  }
}
