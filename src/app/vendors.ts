// What is sold on this gateway: the catalog with what the operator's settings and file change in it.

import type { OperatorFile } from '#catalog/lib/operator-file.ts'
import type { MediaMachine } from '#catalog/ns_media/lib/make-outputs.ts'
import { createAddedEndpoints, type OpenSource } from '#catalog/ns_primary/lib/added.ts'
import { createProviders } from '#catalog/providers.ts'
import type { MediaModels } from '#core/media-model.ts'
import type { ModelPrices } from '#core/model-price.ts'
import type { Provider } from '#core/provider.ts'
import type { PaidMinutes, PrepaidResources } from '#core/session.ts'
import type { Config } from '../config.ts'

/** What the operator adds to the catalog. Throws an Error with one sentence if the file is unusable. */
export async function readAdditions({ CATALOG_FILE }: Config): Promise<OperatorFile | undefined> {
  if (CATALOG_FILE === undefined) return undefined
  const { readOperatorFile } = await import('#catalog/lib/operator-file.ts')
  return readOperatorFile(CATALOG_FILE)
}

export function listVendors(
  config: Config,
  file: OperatorFile | undefined,
  parts: {
    readonly prices: ModelPrices
    readonly openSource: OpenSource
    readonly admitAddress: (address: string) => void
    readonly browserMinutes: PaidMinutes
    readonly prepaid: PrepaidResources
    readonly mediaParts: { readonly models: MediaModels; readonly machine: MediaMachine }
  },
): readonly Provider[] {
  return createProviders({
    platformActors: config.PLATFORM_ACTORS,
    prices: parts.prices,
    keylessFeeCents: config.KEYLESS_FEE_CENTS,
    mediaParts: parts.mediaParts,
    browserMinutes: parts.browserMinutes,
    prepaid: parts.prepaid,
    addedActors: file?.platform_actors,
    admitAddress: parts.admitAddress,
    addedEndpoints: createAddedEndpoints(file?.primary_endpoints ?? {}, {
      openSource: parts.openSource,
      variables: config.providerVariables,
    }),
  })
}
