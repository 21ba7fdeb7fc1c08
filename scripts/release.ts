// Makes a release: `npm run release -- 1.2.3 --key release-key.pem`; with --dry-run it builds the artefacts and changes nothing.
// `npm run release -- verify dist --key release-key.pub.pem` checks artefacts that somebody got. CONTRIBUTING.md, "Release".
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { program } from './arguments.ts';
import { makeRelease } from './release/release.ts';
import { verifyRelease } from './release/verify.ts';
import { ROOT } from './suite/files.ts';

interface Options {
  dryRun?: true;
  withSandbox?: true;
  builder: string;
  key?: string;
}

/** Reads a key in PEM. Throws an error that names the file. */
function readKey(file: string, parse: (pem: string) => KeyObject): KeyObject {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`${file} holds no such key: ${(error as Error).message}`);
  }
}

const cli = program('release', 'Makes a release of this commit, in the folder dist.');
cli
  .command('make', { isDefault: true })
  .argument('<version>', 'such as 1.2.3')
  .option('--dry-run', 'build the artefacts, and change neither files nor history')
  .option('--with-sandbox', 'also a tarball of the service with the sandbox in it')
  .option('--builder <uri>', 'who builds it, for the provenance', 'urn:recollect:builder:by-hand')
  .option('--key <file>', 'the private key that signs (Ed25519, PEM); default: RELEASE_KEY_FILE')
  .action(async (version: string, options: Options) => {
    const file = options.key ?? process.env.RELEASE_KEY_FILE;
    const key = file === undefined ? null : readKey(file, createPrivateKey);
    await makeRelease({
      root: ROOT,
      to: join(ROOT, 'dist'),
      version,
      isDryRun: options.dryRun === true,
      withSandbox: options.withSandbox === true,
      builder: options.builder,
      key,
      say: (line) => console.log(line),
    });
  });
cli
  .command('verify')
  .argument('<folder>', 'the folder with the artefacts')
  .requiredOption('--key <file>', 'the public key of the release (PEM)')
  .action((folder: string, { key }: { key: string }) => {
    const problems = verifyRelease(folder, readKey(key, createPublicKey));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
    else console.log(`${folder} is what was released`);
  });

try {
  await cli.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
