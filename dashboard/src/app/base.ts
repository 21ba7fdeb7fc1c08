const { base = '', app = '/dashboard' } = document.documentElement.dataset;

/** The path of this app, below the path of the service's public address, which the service writes into the page. */
export const BASE = `${base}${app}`;
