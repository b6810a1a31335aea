#!/bin/sh
# Packs the binary of a wheel into an archive for those who want no Python: `packaging/archive.sh TARGET WHEEL`.
#
# The archive lies beside the wheel, with its checksum. `cargo binstall` finds it by the names in Cargo.toml.
set -eu

target=$1
wheel=$2
root=$(cd "$(dirname "$0")/.." && pwd)
python=$(command -v python3 || command -v python)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
out=$(cd "$(dirname "$wheel")" && pwd)
name="repoidx-$version-$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/$name"
"$python" -m zipfile -e "$wheel" "$work/wheel"
cp "$work"/wheel/repoidx-*.data/scripts/repoidx* "$work/$name/"
chmod 755 "$work/$name"/repoidx*
cp "$root/README.md" "$root/CHANGELOG.md" "$root/LICENSE-APACHE" "$root/LICENSE-MIT" "$work/$name/"
# Equal content gives an equal archive: `tar` of every system would add owners and times.
"$python" - "$work" "$name" "$out" <<'PYTHON'
import hashlib, io, pathlib, sys, tarfile, zipfile

work, name, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
files = sorted((work / name).iterdir())
windows = "windows" in name
archive = out / f"{name}.{'zip' if windows else 'tar.xz'}"
if windows:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            packed.writestr(zipfile.ZipInfo(f"{name}/{file.name}"), file.read_bytes(), zipfile.ZIP_DEFLATED)
else:
    with tarfile.open(archive, "w:xz") as packed:
        for file in files:
            entry = tarfile.TarInfo(f"{name}/{file.name}")
            content = file.read_bytes()
            entry.size, entry.mode = len(content), 0o755 if file.name == "repoidx" else 0o644
            packed.addfile(entry, io.BytesIO(content))
digest = hashlib.sha256(archive.read_bytes()).hexdigest()
(out / f"{archive.name}.sha256").write_text(f"{digest}  {archive.name}\n")
print(f"{archive.name}: {archive.stat().st_size // 1024} KiB")
PYTHON
