import { decodeCsv } from '@recollect/sdk';

/** What the service takes, less what the request adds to it. */
const MAX_BYTES = 900_000;

/** The file that was chosen, or why it is not read. */
export interface Chosen {
  name: string;
  text: string;
  isTooLarge: boolean;
}

/** Reads a file of a bank, in the letters it was saved in. */
export async function readChosen(file: File): Promise<Chosen> {
  const isTooLarge = file.size > MAX_BYTES;
  const text = isTooLarge ? '' : decodeCsv(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, text, isTooLarge };
}
