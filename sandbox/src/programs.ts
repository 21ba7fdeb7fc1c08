/** A running program of the sandbox. */
export interface RunningProgram {
  close(): Promise<void>;
}

/** The sandbox's programs by name; each starts from the content of its configuration file. */
export const PROGRAMS: Record<string, (config: never) => Promise<RunningProgram>> = {
  bank: async (config) => (await importBank()).startBank(config),
  issuer: async (config) => (await import('./issuer/start.ts')).startIssuer(config),
};

/** The OpenID library warns about every Node version that is not yet LTS; ours is pinned and tested. */
async function importBank() {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('./bank/start.ts');
  } finally {
    console.warn = warn;
  }
}
