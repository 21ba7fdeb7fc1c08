const closing: (() => Promise<unknown>)[] = [];

/** Whether this process runs many test files, which share what is slow to start. */
export const isShared = process.env.RECOLLECT_TEST_WORKER !== undefined;

/** Registers `close` for something that test files of this process share; it runs after the last of them. */
export function closeAfterLastFile(close: () => Promise<unknown>): void {
  closing.push(close);
}

/** Closes what the test files of this process shared. */
export async function closeShared(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}
