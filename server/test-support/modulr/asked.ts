export interface Reply {
  status: number;
  body: unknown;
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}
