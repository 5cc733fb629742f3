import type { FailureReader } from '#core/provider.ts'

/** What a provider keeps from this gateway, by its plan or for good, while it goes on to serve all else. */
export const notGranted = {
  code: 'upstream_error',
  message:
    'The provider does not let this gateway have this. Nothing was charged; the operator has been told.',
  operatorAlert: true,
} as const satisfies ReturnType<FailureReader>
