// Media: the models that are sold, and what this machine does for them.
import type { OperatorFile } from '#catalog/lib/operator-file.ts'
import { createEmbeddedMedia } from '#catalog/ns_media/lib/embedded.ts'
import { listMediaModels } from '#catalog/ns_media/lib/models.ts'
import { createOutputOpener } from '#features/studio/media/output-opener.ts'
import { createSpeech } from '#features/studio/media/speech.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { AppContext } from './context.ts'

export async function openMedia(
  { sandbox, onClose }: AppContext,
  { guard, additions }: { guard: EgressGuard; additions: OperatorFile | undefined },
) {
  const models = listMediaModels(additions?.media_models, additions?.media_models_only)
  const outputs = createOutputOpener({ guard })
  onClose(outputs.close)
  const speech = await createSpeech({ sandbox })
  const machine = { speech, openOutput: outputs.open }
  return { models, machine, standIns: createEmbeddedMedia(models, machine) }
}
