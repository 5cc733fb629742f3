// Patterns of a description, which others have written, on texts that others have sent: some pairs take years.
import { createContext, Script } from 'node:vm'
import { errorCodeOf } from '../thrown.ts'

/** No usual pattern needs as long for any text. */
const patternMsMax = 50
/** A list may have many texts that keep it busy. */
const restMs = 2_000

const context = createContext({ pattern: /x/, text: '' })
const script = new Script('pattern.test(text)')

/** For ajv. A text that keeps a pattern busy passes, so that the vendor judges it. */
export const patientPattern = Object.assign(
  (source: string, flags: string) => {
    const pattern = new RegExp(source, flags)
    let restsUntil = 0
    return {
      test(text: string): boolean {
        if (performance.now() < restsUntil) return true
        Object.assign(context, { pattern, text })
        try {
          return script.runInContext(context, { timeout: patternMsMax }) === true
        } catch (thrown) {
          if (errorCodeOf(thrown) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown
          restsUntil = performance.now() + restMs
          return true
        } finally {
          context.text = ''
        }
      },
    }
  },
  { code: 'new RegExp' },
)
