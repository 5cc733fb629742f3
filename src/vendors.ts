// What is sold on this gateway: the catalog with what the operator's settings and file change in it.

import { readOperatorFile } from '#catalog/lib/operator-file.ts'
import { createAddedEndpoints, type OpenSource } from '#catalog/ns_primary/lib/added.ts'
import { createProviders } from '#catalog/providers.ts'
import type { ModelPrices } from '#core/model-price.ts'
import type { Provider } from '#core/provider.ts'
import type { Config } from './config.ts'

/** Throws an Error with one sentence if the operator's file is unusable. */
export function listVendors(
  config: Config,
  parts: { readonly prices: ModelPrices; readonly openSource: OpenSource },
): readonly Provider[] {
  const file = config.CATALOG_FILE === undefined ? undefined : readOperatorFile(config.CATALOG_FILE)
  return createProviders({
    platformActors: config.PLATFORM_ACTORS,
    prices: parts.prices,
    addedActors: file?.platform_actors,
    addedEndpoints: createAddedEndpoints(file?.primary_endpoints ?? {}, {
      openSource: parts.openSource,
      variables: config.providerVariables,
    }),
  })
}
