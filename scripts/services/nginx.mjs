/** nginx with a configuration that is given as text. */
import { writeFileSync } from 'node:fs'
import { runInside, ready, startInside } from './process.mjs'

/**
 * @param {string} root
 * @param {string} folder seen from inside
 * @param {string} configuration
 * @param {() => Promise<boolean>} answers
 */
export const startNginx = async (root, folder, configuration, answers) => {
  const log = `${root}${folder}/nginx.log`
  writeFileSync(`${root}${folder}/nginx.conf`, configuration)
  runInside(root, 'postgres', ['/usr/sbin/nginx', '-t', '-e', 'stderr', '-c', `${folder}/nginx.conf`])
  const pid = startInside(root, 'postgres', log, ['/usr/sbin/nginx', '-e', 'stderr', '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'])
  await ready(root, pid, log, answers)
  return { pid }
}
