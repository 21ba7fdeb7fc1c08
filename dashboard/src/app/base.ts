/** The path of this app: `/dashboard`, below whatever path the service's public address has. The service writes it into the page. */
export const BASE = `${document.documentElement.dataset.base ?? ''}/dashboard`;
