import { expect, test } from 'vitest'
import { outputsOf } from './outputs.ts'

const at = (name: string) => `https://cdn.example/${name}`
const urls = (reply: unknown, type: Parameters<typeof outputsOf>[1]) =>
  outputsOf(reply, type).map(({ url }) => url)

test('a video comes before the picture that the vendor sends with it', () => {
  const reply = {
    thumbnail: { url: at('t.jpg'), content_type: 'image/jpeg' },
    video: { url: at('v.mp4') },
  }
  expect(urls(reply, 'image_to_video')).toEqual([at('v.mp4'), at('t.jpg')])
})

test('sound comes before a video of the same reply where the model makes music', () => {
  const reply = { video_url: at('v.mp4'), audio_file: { url: at('a.mp3') } }
  expect(urls(reply, 'music')).toEqual([at('a.mp3'), at('v.mp4')])
})

test('several of the asked kind keep the order of the reply', () => {
  const image = (name: string) => ({ url: at(name), content_type: 'image/png' })
  const reply = { mask: image('m.png'), images: [image('1.png'), image('2.png')] }
  expect(urls(reply, 'text_to_image')).toEqual([at('m.png'), at('1.png'), at('2.png')])
})

test('a file without a type may be what was asked for', () => {
  expect(urls({ output: { url: at('x') } }, 'video_edit')).toEqual([at('x')])
})

test.each([
  ['nothing', {}],
  ['a picture alone', { image: { url: at('i.png') } }],
])('%s is not a video', (_what, reply) => {
  expect(() => outputsOf(reply, 'text_to_video')).toThrow(/without a video/)
})
