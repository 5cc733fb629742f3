// What a sandbox costs. It is paid when it is created, for its whole time.
// Source: spec, "Compute".

/** The price of a GPU, and the longest time that it buys. */
export const gpuCents = { T4: 25, L4: 30, A10G: 40, A100: 150, H100: 250 } as const
export type Gpu = keyof typeof gpuCents

export const secondsMax = 3_600
export const gpuSecondsMax = 1_200
/** Without a GPU: up to half an hour, and above. */
const shortSecondsMax = 1_800
const cpuCents = { short: 3, long: 5 }

interface Sandbox {
  readonly timeout: number
  readonly gpu?: Gpu | undefined
}

const centsFor = ({ timeout, gpu }: Sandbox): number => {
  if (gpu !== undefined) return gpuCents[gpu]
  return timeout <= shortSecondsMax ? cpuCents.short : cpuCents.long
}

export const sandboxPrice = {
  centsFor,
  fromCents: cpuCents.short,
  atMostCents: Math.max(...Object.values(gpuCents)),
  basis:
    '3¢ for up to 30 minutes, 5¢ for up to an hour; with a GPU 25¢ (T4), 30¢ (L4), 40¢ (A10G), 150¢ (A100), 250¢ (H100) for up to 20 minutes',
}
