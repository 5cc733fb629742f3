import type { Hex } from '../../chains/chain.ts'

/** USDC, as its contracts call themselves; the name differs by network. */
const knownAssets: Readonly<Record<string, { asset: Hex; name: string }>> = {
  'eip155:8453': { asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', name: 'USD Coin' },
  'eip155:84532': { asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', name: 'USDC' },
}

/** The token of a network, as its EIP-712 domain calls it. Undefined when the operator must say more. */
export function assetOf(settings: {
  readonly X402_NETWORK: string
  readonly X402_ASSET?: Hex | undefined
  readonly X402_ASSET_NAME?: string | undefined
}): { asset: Hex; name: string } | undefined {
  const known = knownAssets[settings.X402_NETWORK]
  const asset = settings.X402_ASSET ?? known?.asset
  const name = settings.X402_ASSET_NAME ?? (asset === known?.asset ? known?.name : undefined)
  return asset === undefined || name === undefined ? undefined : { asset, name }
}
