/** The version of this package: what the service's operators see in `User-Agent`. */
export const VERSION = '0.3.0';
