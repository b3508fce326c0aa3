/** Statements about the experimental tasks of 2025-11-25: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const EXPERIMENTAL_TASKS: readonly StatementRow[] = [
  // 2025-11-25 basic/utilities/tasks#capabilities
  ['7a05def45289', 'both', 'why:experimental-tasks', 'tasks are declared'],
  // 2025-11-25 basic/utilities/tasks#capability-negotiation
  ['9a4fec446d9b 0a4327cb0c96', 'client', 'why:experimental-tasks', 'tasks only where they are declared'],
  // 2025-11-25 basic/utilities/tasks#tool-level-negotiation
  ['594392a44caa 29dd4707161f', 'client', 'why:experimental-tasks', 'tools only as tasks where they permit it'],
  ['4c27b1f1e61c', 'server', 'why:experimental-tasks', 'a tool that is no task: -32601'],
  ['734fcf6943d9 c5c95f1d946a', 'client', 'why:experimental-tasks', 'tools that may or must be tasks'],
  ['230ee0a1731e', 'server', 'why:experimental-tasks', 'a tool that must be a task: -32601'],
  // 2025-11-25 basic/utilities/tasks#creating-tasks
  ['2a965ae8cbca', 'client', 'why:experimental-tasks', 'how long a task lives'],
  // 2025-11-25 basic/utilities/tasks#getting-tasks
  ['b6887a5627c6', 'client', 'why:experimental-tasks', 'streams of tasks may be left'],
  ['2972870a47e5', 'both', 'why:experimental-tasks', 'streams of tasks follow the transport'],
  ['03460775a401 03a7eed200f9 e66b411bf504 3e5b4eaf106b', 'client', 'why:experimental-tasks', 'asking for the state of a task'],
  // 2025-11-25 basic/utilities/tasks#task-status-notification
  ['669444e57fe0', 'server', 'why:experimental-tasks', 'changes may be told'],
  ['352567d7829a 7dadc35fbd3f', 'client', 'why:experimental-tasks', 'nobody relies on that'],
  // 2025-11-25 basic/utilities/tasks#task-support-and-handling
  ['b0495708d32c', 'server', 'task-metadata-ignored', 'metadata of tasks is ignored where they are not declared'],
  ['4ef00dca896c', 'server', 'why:experimental-tasks', 'requests without a task may be refused'],
  // 2025-11-25 basic/utilities/tasks#task-id-requirements
  ['f023831948c6 6b255c720ad7 b091b2e684dc', 'server', 'why:experimental-tasks', 'ids of tasks'],
  // 2025-11-25 basic/utilities/tasks#task-status-lifecycle
  ['3550de045fdb d7e72a060bfd e56d888e6431 f3712f2996b6', 'server', 'why:experimental-tasks', 'states of tasks'],
  // 2025-11-25 basic/utilities/tasks#input-required-status
  ['96e82558d804', 'client', 'why:experimental-tasks', 'messages come on any stream'],
  ['22b50c48b3f0 1eaf279754f5 03001ad28bb8', 'server', 'why:experimental-tasks', 'what a task asks'],
  ['51fb38485a91', 'client', 'why:experimental-tasks', 'the result is asked for'],
  ['72364b6e3199', 'server', 'why:experimental-tasks', 'the state after the answer'],
  // 2025-11-25 basic/utilities/tasks#ttl-and-resource-management
  ['c822346c7cb1 6be44b51ed67 8b40ed5cf3bb 65592ab2d8f6 d424d44fdf30 b55770cf457c', 'server', 'why:experimental-tasks', 'times of tasks'],
  ['4e04c62a9e8a', 'client', 'why:experimental-tasks', 'the interval is respected'],
  // 2025-11-25 basic/utilities/tasks#result-retrieval
  ['b4cc1985a894 d79e76156bb9 a7901376d4bb cb9ee75c1b9c 49a9ae265609', 'server', 'why:experimental-tasks', 'results of tasks'],
  // 2025-11-25 basic/utilities/tasks#associating-task-related-messages
  ['46cba177b7ca 6738b94d7283 75ab97ccf6dc', 'both', 'why:experimental-tasks', 'messages name their task'],
  ['a3fd933ce6d2 1a688195668d', 'both', 'why:experimental-tasks', 'where they do not'],
  // 2025-11-25 basic/utilities/tasks#task-notifications
  ['282b9d609a74', 'server', 'why:experimental-tasks', 'changes may be told'],
  ['b6328f918403', 'client', 'why:experimental-tasks', 'nobody relies on that'],
  ['b0a546616c5b', 'server', 'why:experimental-tasks', 'notifications do not name their task twice'],
  // 2025-11-25 basic/utilities/tasks#task-listing
  ['2abee679a1ca 513059b88dbb', 'server', 'why:experimental-tasks', 'lists of tasks have pages'],
  ['848e146fb841', 'client', 'why:experimental-tasks', 'cursors are opaque'],
  ['2919f982cb82', 'server', 'why:experimental-tasks', 'lists are complete'],
  // 2025-11-25 basic/utilities/tasks#task-cancellation
  ['4de54f58c2cd 907ab41f0fb2 52b361ba01d0 be622bc1baf2', 'server', 'why:experimental-tasks', 'cancelling tasks'],
  ['7fa7cc2b6659', 'client', 'why:experimental-tasks', 'nobody relies on cancelled tasks'],
  // 2025-11-25 basic/utilities/tasks#related-task-metadata
  ['188a3330e622 1a685c77d2ff 910be3a67da0', 'both', 'why:experimental-tasks', 'messages name their task'],
  // 2025-11-25 basic/utilities/tasks#protocol-errors
  ['8f565efc2f16 083f01be8416 65f153a95815 648f2c92bb55 cb8a59859e88 39e0db4b018d', 'server', 'why:experimental-tasks', 'errors of tasks'],
  // 2025-11-25 basic/utilities/tasks#task-execution-errors
  ['58156493577d b39449cec996 1cc20646cf95', 'server', 'why:experimental-tasks', 'tasks that fail'],
  // 2025-11-25 basic/utilities/tasks#task-isolation-and-access-control
  ['eb701fbdb3c3 fb8854ab7a2e 685193de96f9 1ef5df9da13d 206263760c0c 535580019296 d1f555888510', 'server', 'why:experimental-tasks', 'tasks belong to their caller'],
  // 2025-11-25 basic/utilities/tasks#resource-management
  ['cda0fb01664e 165d47ed24d3 1037fa5deabb 94e37cdc6a64 17b039326532 c77c543d9775', 'server', 'why:experimental-tasks', 'limits of tasks'],
  // 2025-11-25 basic/utilities/tasks#audit-and-logging
  ['4c95b3b3a406 168bd716dcf1 cdb16b714ffa', 'server', 'why:experimental-tasks', 'tasks are logged'],
  ['c78b4d51299a 601549542cd3', 'client', 'why:experimental-tasks', 'tasks are logged']
]
