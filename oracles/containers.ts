export { DCLinter } from 'dclint'
export { Copy, DockerfileParser } from 'dockerfile-ast'
export { ValidationSeverity, validate } from 'dockerfile-utils'
