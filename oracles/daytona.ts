export { Configuration, SandboxApi } from '@daytona/api-client'
export {
  Configuration as ToolboxConfiguration,
  FileSystemApi,
  ProcessApi,
} from '@daytona/toolbox-api-client'
