import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { closeAfterLastFile, isShared } from '../../server/test-support/shared.ts';
import { lookOften } from './look-often.ts';

/** Works as root and as any user, in a container too. */
const ARGS = [
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  // A document lives for a second or two: optimizing its code costs more than it saves.
  '--js-flags=--no-opt --no-maglev',
];
const LAUNCH_MS = 60_000;
/** How long a step on a page may take on a busy machine. */
const STEP_MS = 120_000;

const isPackaged = process.platform === 'linux' && process.arch === 'x64';

let shared: Promise<Browser> | undefined;

/**
 * Opens a headless Chromium: the one that CHROME_PATH names, else the packaged one (for Linux on x64, unpacked once per user),
 * else the Chrome of this machine. Close it with `close()`. Test files that run in one process share it: there `close` closes
 * what was opened in it.
 */
export async function openChromium(): Promise<Browser> {
  if (!isShared) return patient(await launchChromium());
  const running = await shared?.catch(() => undefined);
  if (running?.isConnected()) return running;
  shared = launchShared();
  return shared;
}

/**
 * Gives every step on a page the time that it may take while other tests run. Pages keep still, as for a user who asks for that,
 * unless a test wants motion: to draw what moves takes a twentieth of the time of these tests.
 */
function patient(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(STEP_MS);
    context.once('page', lookOften);
    return context;
  };
  return browser;
}

async function launchShared(): Promise<Browser> {
  const browser = patient(await launchChromium());
  const close = browser.close.bind(browser);
  closeAfterLastFile(() => close());
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

async function launchChromium(): Promise<Browser> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined) return launch(CHROME_PATH, {});
  if (!isPackaged) return chromium.launch({ channel: 'chrome', args: ARGS, timeout: LAUNCH_MS });
  const folder = await unpackedChromium();
  const file = join(folder, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts')
    ? {}
    : { FONTCONFIG_PATH: join(folder, 'fonts') };
  try {
    return await launch(file, fonts);
  } catch (error) {
    if (!String(error).includes('shared librar')) throw error;
    // A bare system lacks some of its libraries: the package has them.
    return launch(file, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') });
  }
}

/**
 * Opens a Chromium beside what it tests. If one of them cannot be opened, closes the other: otherwise the process would not end.
 */
export async function besideChromium<T extends { close(): Promise<unknown> }>(
  opening: Promise<T>,
): Promise<[T, Browser]> {
  const [beside, browser] = await Promise.allSettled([opening, openChromium()]);
  if (beside.status === 'rejected') {
    if (browser.status === 'fulfilled') await browser.value.close();
    throw beside.reason;
  }
  if (browser.status === 'rejected') {
    await beside.value.close();
    throw browser.reason;
  }
  return [beside.value, browser.value];
}

function launch(executablePath: string, env: Record<string, string>): Promise<Browser> {
  const own = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return chromium.launch({
    executablePath,
    args: ARGS,
    timeout: LAUNCH_MS,
    env: { ...Object.fromEntries(own), ...env },
  });
}

/** Unpacks Chromium to a draft folder and renames it when complete, so that concurrent tests never see an incomplete one. */
async function unpackedChromium(): Promise<string> {
  const manifest = new URL('../../package.json', import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const name = `recollect-chromium-${process.getuid?.() ?? 0}-${version}`;
  const folder = join(tmpdir(), name);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await unpackInto(draft);
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return folder;
}

const UNPACK = `
  const { default: packaged } = await import('@sparticuz/chromium');
  packaged.setGraphicsMode = false;
  await packaged.executablePath();`;

/**
 * The package unpacks only into the temporary folder, and its libraries only if it believes that it is hosted. It is told so in a
 * process of its own: whatever starts meanwhile in this one has temporary files, too.
 */
async function unpackInto(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
  });
}
