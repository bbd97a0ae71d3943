# A bare Debian or Ubuntu in a folder of its own, for tests of what a new machine needs: to be sourced. They run as root, with
# debootstrap. Mounts and processes are in namespaces of their own and end with them; the folder is removed at the end, however it comes.

# A first number by the wheel, as a program of Python.
readonly first_number='import numpy as np, quadrille_gl as q
y = q.run("uniform sampler2D x; out float y; void main() { y = sqrt(READ(x, TEXEL).r); }", x=np.float32([[1, 4], [9, 16]]))
assert y.tolist() == [[1, 2], [3, 4]], y'

# Makes a bare system of a release in a temporary folder below $TMPDIR, and keeps the path in $root.
make_root() {
    local release=$1 mirror
    [ "$(id -u)" = 0 ] || { echo "$0: must be root" >&2; exit 2; }
    command -v debootstrap > /dev/null || { echo "$0: needs debootstrap: apt-get install debootstrap" >&2; exit 2; }
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' "Codename: $release" | head -n 1)}
    [ -n "$mirror" ] || { echo "$0: apt has no mirror of $release here; MIRROR names one" >&2; exit 2; }
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
    trap 'exit 130' INT TERM HUP
    debootstrap --variant=minbase "$release" "$root" "$mirror"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# Runs a script of this folder in namespaces of its own, as `SCRIPT --enter ROOT`.
in_namespaces() {
    unshare --mount --pid --fork --kill-child "$1" --enter "$root"
}

# From the outside, in the namespaces: the Rust toolchain of the home folder, and the crates that it has.
bind_rust() {
    local root=$1 folder
    for folder in .cargo .rustup; do
        mkdir -p "$root$HOME/$folder"
        mount --bind "$HOME/$folder" "$root$HOME/$folder"
    done
}

# From the outside, in the namespaces: the Rust toolchain of the home folder alone, in /rust, and in $rust the variables by which it is
# used. The home is empty, but for the settings of Cargo that are here: they name its registries.
bind_toolchain() {
    local root=$1 folder
    mkdir -p "$root/rust/.rustup" "$root/rust/bin" "$root$HOME/.cargo"
    for folder in .rustup .cargo/bin; do
        mount --bind -o ro "$HOME/$folder" "$root/rust/${folder#.cargo/}"
    done
    [ ! -f "$HOME/.cargo/config.toml" ] || cp "$HOME/.cargo/config.toml" "$root$HOME/.cargo"
    rust=(RUSTUP_HOME=/rust/.rustup PATH=/rust/bin:/usr/sbin:/usr/bin:/sbin:/bin)
}

# From the outside: the certificates by which pip and Cargo trust what is between them and their registries, where there are any, and
# in $trust the variables that name them.
bring_certificates() {
    local file=${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}
    trust=()
    [ -f "$file" ] || return 0
    cp "$file" "$1/certificates.pem"
    trust=(PIP_CERT=/certificates.pem CARGO_HTTP_CAINFO=/certificates.pem)
}

# From the outside, in the namespaces: mounts what every process needs, and runs a command in the bare system.
enter_root() {
    local root=$1
    shift
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec chroot "$root" "$@"
}
