import type { FailureReader } from '#core/provider.ts'

/** The failure of a request that the provider does not allow this gateway, although it serves others. */
export const notGranted = {
  code: 'upstream_error',
  message:
    'The provider does not allow this gateway to use this. Nothing was charged; the operator has been told.',
  operatorAlert: true,
} as const satisfies ReturnType<FailureReader>
