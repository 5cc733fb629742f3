// What a Dockerfile says of each stage. A stage begins with all that its base stage says.
import { Copy, DockerfileParser } from '#oracles/containers.ts'

export interface Stage {
  readonly name: string
  /** Another stage, or an image. */
  readonly base: string
  /** The instructions of this stage that change files, in order. */
  readonly steps: Step[]
  readonly environment: Record<string, string>
  workingFolder: string
  user: string
  healthcheck: readonly string[] | undefined
  entrypoint: readonly string[]
  /** Debian packages of this stage. */
  readonly packages: string[]
}

export type Step =
  | {
      readonly kind: 'run'
      readonly command: string
      readonly user: string
      readonly folder: string
    }
  | {
      readonly kind: 'copy'
      /** A stage; undefined for the build context. */
      readonly from: string | undefined
      readonly sources: readonly string[]
      readonly target: string
      readonly folder: string
    }

export function readStages(dockerfile: string): ReadonlyMap<string, Stage> {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword()
    const content = (instruction.getRawArgumentsContent() ?? '').replaceAll(/\\\n/g, ' ')
    if (keyword === 'FROM') {
      const [base = '', , name = ''] = wordsOf(content)
      stage = beginStage(name, base, stages.get(base))
      stages.set(name, stage)
    } else if (stage !== undefined) {
      const from = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : undefined
      apply(stage, { keyword, content, from: from ?? undefined })
    }
  }
  return stages
}

const beginStage = (name: string, base: string, before: Stage | undefined): Stage => ({
  name,
  base,
  steps: [],
  packages: [],
  environment: { ...before?.environment },
  workingFolder: before?.workingFolder ?? '/',
  user: before?.user ?? '0:0',
  healthcheck: before?.healthcheck,
  entrypoint: before?.entrypoint ?? [],
})

const wordsOf = (content: string) => content.trim().split(/\s+/)

/** Throws for an instruction that it does not know, so that nothing is left out in silence. */
function apply(
  stage: Stage,
  { keyword, content, from }: { keyword: string; content: string; from: string | undefined },
): void {
  const { workingFolder: folder, user } = stage
  const words = wordsOf(content)
  switch (keyword) {
    case 'RUN':
      stage.steps.push({ kind: 'run', command: content, user, folder })
      stage.packages.push(...packagesOf(content))
      return
    case 'COPY': {
      const target = words.at(-1) ?? ''
      stage.steps.push({ kind: 'copy', from, sources: words.slice(0, -1), target, folder })
      return
    }
    case 'ENV':
      for (const word of words) {
        const [name = '', value = ''] = word.split('=')
        stage.environment[name] = value
      }
      return
    case 'WORKDIR':
      stage.workingFolder = content
      return
    case 'USER':
      stage.user = content
      return
    case 'HEALTHCHECK':
      stage.healthcheck = programOf(content)
      return
    case 'ENTRYPOINT':
      stage.entrypoint = programOf(content)
      return
    case 'EXPOSE':
    case 'VOLUME':
      return
    default:
      throw new Error(`${keyword} is not understood here.`)
  }
}

/** The words of `["tini", "--"]`. Throws for a command that needs a shell. */
const programOf = (content: string): readonly string[] =>
  JSON.parse(content.slice(content.indexOf('[')))

function packagesOf(command: string): string[] {
  const [, list = ''] = /apt-get install ([^&]*)/.exec(command) ?? []
  return wordsOf(list).filter((word) => /^[a-z]/.test(word))
}
