import { expect, test } from 'vitest'
import { repairMojibake } from './mojibake.ts'

const windows1252 = new TextDecoder('windows-1252')
const broken = (text: string) => windows1252.decode(new TextEncoder().encode(text))
const text =
  '<p>“Don’t,” said Zoë — the café’s last guest… Ça ira, naïve Übung für später.</p>\n'.repeat(20)

test('UTF-8 that was read as windows-1252 is repaired', () => {
  expect(broken(text)).toContain('â€œDonâ€™t')
  expect(repairMojibake(broken(text))).toBe(text)
})

test('text that only has such letters stays as it is', () => {
  for (const whole of [
    text,
    'Ã© is what é becomes when it is read wrongly.',
    'ÉCOLE À PARIS Â£5 '.repeat(3),
    'Ärger über Öl und Übermut, Straße für Straße. '.repeat(100),
  ])
    expect(repairMojibake(whole)).toBe(whole)
})
