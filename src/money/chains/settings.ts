import { z } from 'zod'
import { hexOf, lowerCase } from './chain.ts'

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .transform((text) => lowerCase(text))

export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a private key: 0x and 64 hexadecimal digits')
  .transform((text) => hexOf(text))
