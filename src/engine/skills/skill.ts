/** The types of skills: folders of instructions for agents, served as resources. SEP-2640, ext-skills stable/skills */

export const SKILLS = 'io.modelcontextprotocol/skills'

/** Folders of skills, and how they are served. */
export interface SkillFolders {
  /** Each is a skill (it has a SKILL.md), or holds skills at any depth. Names that begin with a dot are left out. */
  folders: readonly string[]
  /** Whether `resources/list` has the files of the skills; true by default. */
  listed?: boolean
}

/** A file of a skill: its digest is `sha256:` and 64 hexadecimal digits, its size a number of bytes. */
export interface SkillResource {
  uri: string
  digest: string
  size: number
}

/** The YAML between the first lines of SKILL.md, as a JSON object. */
export interface SkillFrontmatter extends Record<string, unknown> { name: string, description: string }

/** A skill as `skills/list` and `skills/get` show it. `uri` is that of its SKILL.md. */
export interface Skill {
  uri: string
  frontmatter: SkillFrontmatter
  /** All files of the skill, those of skills within it too. */
  resources: readonly SkillResource[]
}
