import type { PrepaidResources } from '#core/session.ts'

/**
 * Names resources without remembering them. For a catalog without a gateway, as the documentation and its examples need
 * it.
 */
export const unremembered: PrepaidResources = {
  begin: async () => `tollway-${crypto.randomUUID()}`,
}
