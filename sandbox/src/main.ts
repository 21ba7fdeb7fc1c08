import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { PortInUse } from './listen.ts';
import { PROGRAMS } from './programs.ts';

/**
 * Command line of the sandbox: `main.ts bank|issuer --config <file.json>`. Its first line on standard output reports, as JSON,
 * that it is ready or which of its ports is in use. Any other startup failure is reported on standard error only.
 */

/** Real time allowed for a clean stop. */
const STOP_WITHIN_MS = 5_000;

enableCompileCache();

async function main([name = '', flag, file]: string[]): Promise<void> {
  const program = PROGRAMS[name];
  if (!program || flag !== '--config' || !file) {
    throw new Error(`Usage: main.ts ${Object.keys(PROGRAMS).join('|')} --config <file.json>`);
  }
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const running = await program(config as never);
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    running.close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Standard input is a pipe from the parent: it closes when the parent exits, for any reason.
  if (config.exit_with_parent) process.stdin.resume().once('end', stop).once('close', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, program: name, pid: process.pid })}\n`);
}

function fail(error: unknown): never {
  if (error instanceof PortInUse)
    process.stdout.write(`${JSON.stringify({ ready: false, port_taken: error.port })}\n`);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
