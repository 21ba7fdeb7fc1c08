/** The path of this app: `/dashboard`, below the path of the service's public address, which the service writes into the page. */
export const BASE = `${document.documentElement.dataset.base ?? ''}/dashboard`;
