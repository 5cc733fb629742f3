// The parameters and results of SQL functions, by which gateways of several versions call them.
const created = /^create function (\w+)\s*\(([\s\S]*?)\)\s*(?:returns\s+([\s\S]*?)\s+)?language\b/gm

/**
 * `name(parameters) -> result`, in the order of their names, without defaults. What has `out` parameters has no result.
 * Triggers are not called.
 */
export function readSignatures(text: string): string[] {
  const plain = text.replace(/--[^\n]*/g, '')
  return [...plain.matchAll(created)]
    .map(([, name, parameters = '', result = '']) => {
      const types = parameters.replace(/\s+default\s+[^,]+/g, '')
      const signature = `${name}(${oneLine(types)})`
      return result === '' ? signature : `${signature} -> ${oneLine(result)}`
    })
    .filter((signature) => !signature.endsWith('-> trigger'))
    .sort()
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
