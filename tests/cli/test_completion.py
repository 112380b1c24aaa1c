"""Completion in zsh and fish, by the shells themselves; bash has its tests beside those of the command line."""
import os
import subprocess
import unittest

import program
from program import commands

# zsh completes only on a terminal: one is made, the line is typed with a tab, and what stands there then is written to a file.
TYPE = """
zmodload zsh/zpty || exit 2
export TERM=vt100
zpty z zsh -f -i
zpty -w z "PROMPT=; RPROMPT=; unsetopt beep; autoload -Uz compinit; compinit -D -u; source $1; show () { print -r -- \\"\\$BUFFER\\" > $3; BUFFER=; zle accept-line }; zle -N show; bindkey '^X^X' show; print REA''DY"
while zpty -r z out; do [[ $out == *READY* ]] && break; done
zpty -w -n z "$2"$'\\t\\x18\\x18'
for i in {1..200}; do [[ -s $3 ]] && break; zpty -r -t z out; sleep 0.05; done
zpty -d z
"""

LINES = {"leman inf": "leman info", "leman info --from g": "leman info --from graph6", "leman info --from=g": "leman info --from=graph6",
         "leman convert --keep classes,tar": "leman convert --keep classes,targets", "leman help conv": "leman help convert",
         "leman generate cf": "leman generate cfi", "leman train -a GIN-e": "leman train -a GIN-eps"}


@program.needs("command")
class Zsh(program.Case):
    def test_lines(self):
        zsh = self.command("zsh")
        script = self.write("_leman", self.succeeds("help", "--completion", "zsh").stdout)
        self.assertEqual(subprocess.run([zsh, "-n", script], capture_output=True).returncode, 0)
        typist = self.write("type.zsh", TYPE)
        for line, expected in LINES.items():
            typed = self.path("typed")
            subprocess.run([zsh, "-f", typist, script, line, typed], capture_output=True, timeout=60, cwd=self.folder)
            self.assertTrue(os.path.exists(typed), line)
            with open(typed) as file:
                self.assertEqual(file.read().strip(), expected)
            os.remove(typed)


@program.needs("command")
class Fish(program.Case):
    def complete(self, line):
        script = self.write("leman.fish", self.succeeds("help", "--completion", "fish").stdout)
        run = subprocess.run([self.command("fish"), "--no-config", "-c", f"source {script}; complete -C '{line}'"], cwd=self.folder,
                             capture_output=True, text=True, env=dict(os.environ, HOME=self.folder))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return [offer.split("\t")[0] for offer in run.stdout.splitlines()]

    def test_lines(self):
        for line, expected in LINES.items():
            self.assertEqual(self.complete(line), [expected.split()[-1]], line)
        self.assertTrue(set(commands()) <= set(self.complete("leman ")))
        self.write("one.g6", "Bw\n")
        self.assertIn("one.g6", self.complete("leman info on"))


class Everywhere(program.Case):
    def test_every_option_is_offered(self):
        for shell in "zsh", "fish":
            script = self.succeeds("help", "--completion", shell).stdout
            for command in commands():
                self.assertIn(command, script)
            for word in ("--threads" if shell == "zsh" else "-l threads", "delta-2-LWL+", "graph6"):
                self.assertIn(word, script)
        self.wrong("help", "--completion", "tcsh", words=("'tcsh'", "bash, zsh or fish"))


if __name__ == "__main__":
    program.main()
