// What one description may have. Each limit keeps a broken or hostile description from filling the memory.

/** Of all its files together. */
export const descriptionBytesMax = 32_000_000
/** Of one YAML file: reading YAML takes about a second per megabyte. */
export const yamlBytesMax = 8_000_000
/** Files that it refers to, the first one included. */
export const filesMax = 4_000
/** Files that are loaded side by side. */
export const loadsAtOnce = 8
/** Operations that become actions. */
export const operationsMax = 2_000
/** Of the schemas that operations share, as JSON. */
export const definitionsBytesMax = 16_000_000
/** Of the schema of one operation's input, without those that it refers to. */
export const inputBytesMax = 256_000
/** Fields of one operation. */
export const fieldsMax = 400
/** How deep schemas, objects and lists may be written into each other without a reference. */
export const depthMax = 100
/** The same of a whole file. */
export const fileDepthMax = 1_000
/** How many schemas may apply to one value, each by a reference of the one before. */
export const circleDepthMax = 200
/** References that lead to references. */
export const hopsMax = 50
/** Of a description, a title and a name. */
export const descriptionCharactersMax = 4_000
export const titleCharactersMax = 120
export const nameCharactersMax = 64
export const versionCharactersMax = 200
/** What `operations` of a description say in `leftOut`. */
export const leftOutMax = 5_000
