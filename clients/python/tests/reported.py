"""What a tool that reports errors shows of one: its whole chain, with the variables."""

import traceback


def hides(case, secret, raised, call):
    """
    Asserts that what a call raises shows a secret in no variable, and returns the error.
    `assertRaises` would remove the frames.
    """
    try:
        call()
    except raised as caught:
        # The frame of this function has the secret.
        error = caught.with_traceback(caught.__traceback__.tb_next)
    else:
        case.fail("nothing was raised")
    linked = [error]
    for one in linked:
        linked += [other for other in (one.__cause__, one.__context__) if other is not None]
        report = traceback.TracebackException.from_exception(one, capture_locals=True)
        case.assertGreater(len(report.stack), 0)
        case.assertNotIn(secret, "".join(report.format(chain=False)))
    return error
