/** An error of the open banking API: an HTTP status and the members of `OBErrorResponse1`. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** Code of OBL's internal code set, e.g. U014; absent where the standard's response has no body. */
  readonly code: string | undefined;
  /** Where in the request; a dotted path or a header name. */
  readonly path: string | undefined;

  constructor(status: number, code: string | undefined, message: string, path?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.path = path;
  }
}

/** Returns a 400 with one of OBL's codes. */
export function refused(code: string, message: string, path?: string): ApiProblem {
  return new ApiProblem(400, code, message, path);
}

/** Returns the body of an error response. */
export function problemBody(problem: ApiProblem, interactionId: string): object {
  const { code, message, path } = problem;
  return {
    Id: interactionId,
    Errors: [{ ErrorCode: code, Message: message, ...(path && { Path: path }) }],
  };
}
