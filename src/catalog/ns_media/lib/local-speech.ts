// Speech that this machine makes with espeak-ng. It sounds like a machine, and says so.
import type { MediaModel } from '#core/media-model.ts'

const speechCharactersMax = 10_000

export const localSpeech: MediaModel = {
  key: 'espeak-ng',
  type: 'text_to_speech',
  title: 'espeak-ng, a formant synthesizer on this machine: clear, quick and robotic',
  provider: 'embedded',
  endpoint: 'espeak-ng',
  mode: 'inline',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, pattern: '\\S', maxLength: speechCharactersMax },
      language: { type: 'string', pattern: '^[a-z]{2,3}(-[a-z0-9]{2,10}){0,3}$', default: 'en' },
      voice: {
        enum: ['default', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'f1', 'f2', 'f3', 'f4', 'f5'],
        default: 'default',
      },
      speed: { type: 'integer', minimum: 80, maximum: 450, default: 175 },
      format: { enum: ['mp3', 'wav'], default: 'mp3' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  price: { per: 'call', cents: 1 },
  example: { text: 'The tide turns at noon.', language: 'en', format: 'mp3' },
  source: 'https://github.com/espeak-ng/espeak-ng',
  date: '2026-11-22',
}
