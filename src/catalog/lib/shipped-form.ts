import type { ReplyForm } from '#core/canaries/drift.ts'
import forms from '../reply-forms.json' with { type: 'json' }

/** `npm run generate` writes the forms of the replies to the probes from the fixtures. */
const shapes: Readonly<Record<string, ReplyForm['shape']>> = forms

/** The form of the reply in the fixture of an action. */
export function shippedFormOf(action: string): ReplyForm | undefined {
  const shape = shapes[action]
  return shape && { shape, headers: {} }
}
