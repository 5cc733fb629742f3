/** `12¢ ($0.120000)`: cents are rounded, and the dollars are exact. */
export const amount = (cents: number, usd: string) => `${cents}¢ ($${usd})`
