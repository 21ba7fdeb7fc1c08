/** Whether a customer's browser may be sent there: https, or, in the sandbox, http to this machine. */
export function isAllowedPage(url: URL, sandbox: boolean): boolean {
  if (url.protocol === 'https:') return true;
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return sandbox && url.protocol === 'http:' && loopback;
}
