/** Asks whoever is in front of the browser to prove it; resolves to whether they did. */
type ProofPrompt = () => Promise<boolean>;

let asker: ProofPrompt | null = null;
let asking: Promise<boolean> | null = null;

/** Sets who asks, while there is a page. Returns a function that takes it away again. */
export function onProofRequested(ask: ProofPrompt): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Asks once, however many requests wait for it. */
export function askForProof(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

/** Whether a response says that the request wants the password and a code first. */
export async function requiresProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Object(Object(body).error).code === 'proof_required';
}
