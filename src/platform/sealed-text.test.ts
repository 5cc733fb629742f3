import { expect, test } from 'vitest'
import { openSealedText, sealText } from './sealed-text.ts'

test('sealed text opens only with its secret, and not after a byte was changed', () => {
  const text = JSON.stringify({ api_key: 'tw_live_secret', name: 'Ada’s laptop' })
  const sealed = sealText(text, 'secret')
  expect(openSealedText(sealed, 'secret')).toBe(text)
  expect(openSealedText(sealed, 'Secret')).toBeUndefined()
  for (let place = 0; place < sealed.length; place += 1) {
    const changed = Buffer.from(sealed)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(openSealedText(changed, 'secret')).toBeUndefined()
  }
  expect(openSealedText(Buffer.alloc(3), 'secret')).toBeUndefined()
})

test('sealed bytes reveal nothing of the text and differ each time', () => {
  const sealed = sealText('tw_live_secret', 'secret')
  expect(sealed.toString('latin1')).not.toContain('tw_live')
  expect(sealed.equals(sealText('tw_live_secret', 'secret'))).toBe(false)
})
